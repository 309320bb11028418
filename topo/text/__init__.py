"""Plain text for people: pages, tables and colour that is never the only carrier of meaning."""
