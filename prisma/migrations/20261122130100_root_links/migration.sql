-- Every domain of a workspace has its root link from the start; without a url, the placeholder of the domain applies.
DO $$
DECLARE
    claim RECORD;
    next_pk BIGINT := 0;
    end_pk BIGINT := 0;
    made BIGINT;
BEGIN
    FOR claim IN
        SELECT domain.pk, domain.workspace_pk
        FROM domain
        WHERE domain.workspace_pk IS NOT NULL
          AND NOT EXISTS (SELECT FROM alias WHERE alias.domain_pk = domain.pk AND alias.key = '_root')
    LOOP
        LOOP
            -- The same blocks of 65,536 pks that processes lease.
            IF next_pk = end_pk THEN
                next_pk := nextval('pk_block') * 65536;
                end_pk := next_pk + 65536;
            END IF;
            -- A UUID of version 7, whose first 48 bits are the time.
            INSERT INTO link (pk, id, workspace_pk, domain_pk, key, url, alias)
            VALUES (
                next_pk,
                (
                    lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
                    || '7' || substr(md5(random()::text), 1, 3)
                    || '8' || substr(md5(random()::text), 1, 15)
                )::uuid,
                claim.workspace_pk,
                claim.pk,
                '_root',
                '',
                true
            )
            ON CONFLICT (pk) DO NOTHING
            RETURNING pk INTO made;
            next_pk := next_pk + 1;
            -- A pk may be reserved by a chosen name.
            EXIT WHEN made IS NOT NULL;
        END LOOP;
        INSERT INTO alias (domain_pk, key, link_pk)
        VALUES (claim.pk, '_root', made);
    END LOOP;
END $$;
