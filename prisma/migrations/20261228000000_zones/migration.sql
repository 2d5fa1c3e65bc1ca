-- PostgreSQL has date_add, and generate_series with a time zone, from version 16 on only.

-- Days and months are added to the local time of a zone, hours to the moment.
CREATE FUNCTION add_in_zone(at TIMESTAMPTZ, step INTERVAL, zone TEXT) RETURNS TIMESTAMPTZ
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN date_trunc('day', step) = INTERVAL '0' THEN at + step
    ELSE (at AT TIME ZONE zone + date_trunc('day', step)) AT TIME ZONE zone + (step - date_trunc('day', step))
  END
$$;

-- The starts of hours, days, weeks, months or years in a zone, from the one that contains the first moment on, to the last moment.
CREATE FUNCTION starts_in_zone(unit TEXT, first TIMESTAMPTZ, last TIMESTAMPTZ, zone TEXT) RETURNS SETOF TIMESTAMPTZ
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT start
  FROM generate_series(date_trunc(unit, first, zone), last, INTERVAL '1 hour') AS start
  WHERE unit = 'hour'
  UNION ALL
  SELECT local AT TIME ZONE zone
  FROM generate_series(
    date_trunc(unit, first AT TIME ZONE zone),
    last AT TIME ZONE zone,
    ('1 ' || unit)::INTERVAL
  ) AS local
  WHERE unit <> 'hour'
$$;
