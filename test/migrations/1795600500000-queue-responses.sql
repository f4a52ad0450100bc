UPDATE processes SET queue_responds = false, queue_changed_at = '-infinity';
