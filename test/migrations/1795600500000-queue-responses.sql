UPDATE processes SET queue_responds = false, queue_changed_at = '-infinity', queues = '0 daywatch';
