UPDATE monitor_schedules SET quorum = 'any' WHERE monitor_id = '01939f4e-0000-7000-8000-000000000021';
