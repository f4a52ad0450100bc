UPDATE status_pages SET accent_color = '#0c8599';
