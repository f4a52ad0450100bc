UPDATE status_pages SET show_locations = true;
