-- Locks links in the order of their pks, one by one: Citus refuses to lock rows of several servers by one statement.
-- Returns the pks of those that exist; without waiting also without those that others lock.
CREATE FUNCTION lock_links(pks BIGINT[], strength TEXT, waits BOOLEAN) RETURNS SETOF BIGINT LANGUAGE plpgsql AS $$
DECLARE
    wanted BIGINT;
BEGIN
    FOR wanted IN SELECT DISTINCT unnest(pks) ORDER BY 1 LOOP
        IF NOT waits THEN
            PERFORM 1 FROM link WHERE link.pk = wanted FOR UPDATE SKIP LOCKED;
        ELSIF strength = 'update' THEN
            PERFORM 1 FROM link WHERE link.pk = wanted FOR UPDATE;
        ELSIF strength = 'no key update' THEN
            PERFORM 1 FROM link WHERE link.pk = wanted FOR NO KEY UPDATE;
        ELSIF strength = 'share' THEN
            PERFORM 1 FROM link WHERE link.pk = wanted FOR SHARE;
        ELSE
            PERFORM 1 FROM link WHERE link.pk = wanted FOR KEY SHARE;
        END IF;
        IF FOUND THEN
            RETURN NEXT wanted;
        END IF;
    END LOOP;
END $$;
