-- The values that were used, until they may be forgotten.
create table mcp_one_time (
    space text not null,
    value text not null,
    ends bigint not null,
    primary key (space, value)
);

create index mcp_one_time_ends on mcp_one_time (space, ends);
