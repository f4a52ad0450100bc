UPDATE status_pages SET custom_domain = 'status.shop.example' WHERE id = (SELECT min(id::text)::uuid FROM status_pages);
