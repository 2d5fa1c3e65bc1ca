CREATE INDEX webhook_leased ON webhook (lease_until) WHERE (lease_until IS NOT NULL);
