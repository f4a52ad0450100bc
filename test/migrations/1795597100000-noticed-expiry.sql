UPDATE api_keys SET noticed_expiry = '2027-01-01 00:00:00+00' WHERE name = 'First';
