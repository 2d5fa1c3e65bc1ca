-- All links of the domain pass the id of each click on to their destinations.
ALTER TABLE domain ADD COLUMN track_conversion boolean NOT NULL DEFAULT false;
