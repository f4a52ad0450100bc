UPDATE monitors SET runbook_url = 'https://wiki.example/runbooks/shop' WHERE name = 'Shop';
