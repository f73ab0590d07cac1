-- A session over HTTP. key is a digest of its id, name what its streams call it; used is a time in
-- milliseconds since 1970, as all times are.
create table mcp_session (
    key text primary key,
    space text not null,
    name text not null unique,
    caller text not null,
    state text not null,
    restored integer not null,
    used bigint not null
);

create index mcp_session_used on mcp_session (space, used);

-- last is the number of the newest event, gone that of the newest which is no longer kept; events
-- and bytes count those that are.
create table mcp_stream (
    seq ${identity},
    space text not null,
    session text not null,
    name text not null,
    requests text not null,
    last bigint not null,
    gone bigint not null,
    events bigint not null,
    bytes bigint not null,
    ended boolean not null,
    used bigint not null,
    unique (session, name)
);

create index mcp_stream_space on mcp_stream (space, session);

create table mcp_event (
    stream bigint not null references mcp_stream (seq) on delete cascade,
    number bigint not null,
    space text not null,
    created bigint not null,
    size bigint not null,
    data ${bytes} not null,
    primary key (stream, number)
);

create index mcp_event_created on mcp_event (space, created);
