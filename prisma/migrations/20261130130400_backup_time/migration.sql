-- When the last backup was finished; null: none was made.
ALTER TABLE installation ADD COLUMN backed_up_at timestamptz(3);
