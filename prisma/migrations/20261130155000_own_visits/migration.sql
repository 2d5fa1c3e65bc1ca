ALTER TABLE workspace ADD COLUMN own_networks text[] NOT NULL DEFAULT '{}';
