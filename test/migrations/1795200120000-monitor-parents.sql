UPDATE monitors SET parent_ids = '{01939f4e-0000-7000-8000-000000000023}' WHERE name = 'Shop';
