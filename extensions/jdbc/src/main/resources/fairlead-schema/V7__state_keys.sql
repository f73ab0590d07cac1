-- The keys that seal the state of requests, by the age of each: the newest that is older than a
-- minute seals. secret is the key, in Base64 behind plain., or wrapped by the key of an operator.
create table mcp_state_key (
    space text not null,
    number bigint not null,
    created bigint not null,
    secret text not null,
    primary key (space, number)
);
