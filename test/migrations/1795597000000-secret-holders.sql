UPDATE ping_keys SET shown_to = 'user:01939f4e-0000-7000-8000-0000000000a1';
