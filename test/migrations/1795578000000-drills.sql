UPDATE notification_timers SET is_drill = true WHERE alert_key = '01939f4e-0000-7000-8000-000000000091/1';
