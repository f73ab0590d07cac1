-- Since when a stream has no events; null while it has some. Appends do not change it, so that they
-- change no index: neither events nor used, which they do change, may be in one.
alter table mcp_stream add column emptied bigint;

update mcp_stream set emptied = used where events = 0;

create index mcp_stream_ended on mcp_stream (space) where emptied is not null and ended;

create index mcp_stream_idle on mcp_stream (space, emptied) where emptied is not null and not ended;

-- The oldest events in the order in which they are dropped.
drop index mcp_event_created;

create index mcp_event_oldest on mcp_event (space, created, number);

-- Sessions, or all of a space if session is empty, whose limits the next sweep checks. version
-- rises with each request for it.
create table mcp_limit_check (
    space text not null,
    session text not null,
    version bigint not null,
    primary key (space, session)
);

insert into mcp_limit_check (space, session, version) select distinct space, '', 1 from mcp_stream;
