-- Values that are kept for a time, such as the logins of an authorization proxy, by the order in
-- which they came. key and owner are digests of the user of the table, and value is sealed by it.
create table mcp_owned_value (
    number ${identity},
    space text not null,
    name text not null,
    key text not null,
    owner text not null,
    value ${bytes} not null,
    ends bigint not null
);

create unique index mcp_owned_value_key on mcp_owned_value (space, name, key);
create index mcp_owned_value_owner on mcp_owned_value (space, name, owner, number);
create index mcp_owned_value_ends on mcp_owned_value (space, name, ends);
