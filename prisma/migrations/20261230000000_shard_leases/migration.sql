-- Which worker reads which shard of the stream, until when.
CREATE TABLE analytics.shard_lease (
    shard SMALLINT PRIMARY KEY,
    worker UUID NOT NULL,
    until TIMESTAMPTZ(3) NOT NULL
);

-- Workers that count, and when each was last seen: shards are divided evenly among those seen lately.
CREATE TABLE analytics.counting_worker (
    id UUID PRIMARY KEY,
    seen_at TIMESTAMPTZ(3) NOT NULL
);
