UPDATE processes SET reports_since = seen_at;
