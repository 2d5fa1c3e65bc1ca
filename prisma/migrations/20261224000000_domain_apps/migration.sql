-- In-app browsers per domain: whether an app stopped opening it.
ALTER TYPE analytics.dimension ADD VALUE 'domain_app';
