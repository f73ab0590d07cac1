-- One row for each incarnation of a node: died is set once and never cleared. Since steady its
-- beats have come without a gap.
create table mcp_node (
    id ${identity},
    space text not null,
    name text not null,
    steady bigint not null,
    beat bigint not null,
    died bigint
);

-- Times are milliseconds since 1970. node is the incarnation whose memory holds the handler; null
-- where none does: the task has ended, or is parked on an outside job.
create table mcp_task (
    seq ${identity},
    id text not null unique,
    space text not null,
    owner text not null,
    access text not null,
    state text not null,
    run bigint not null,
    node bigint,
    created bigint not null,
    updated bigint not null,
    ttl bigint not null,
    expires bigint not null,
    rerunnable boolean not null,
    progress double precision,
    poll_every bigint,
    poll_at bigint,
    job_key text,
    job text,
    owner_key text not null,
    method text not null,
    name_key text not null,
    name text not null,
    token text,
    message text,
    origin text not null,
    outcome text
);

create index mcp_task_owner on mcp_task (owner, seq) where state <> 'EXPIRED';

create index mcp_task_active on mcp_task (owner, expires) where state in ('WORKING', 'INPUT_REQUIRED');

-- Each task is in one of the three, each of which a sweep reads from its beginning.
create index mcp_task_open on mcp_task (space, expires) where state in ('WORKING', 'INPUT_REQUIRED');

create index mcp_task_ended on mcp_task (space, expires) where state not in ('WORKING', 'INPUT_REQUIRED', 'EXPIRED');

create index mcp_task_purge on mcp_task (space, expires) where state = 'EXPIRED';

create index mcp_task_node on mcp_task (node) where node is not null;

create unique index mcp_task_job on mcp_task (name_key, job_key) where job_key is not null;

create index mcp_task_poll on mcp_task (space, poll_at) where poll_at is not null;

create table mcp_question (
    task bigint not null references mcp_task (seq) on delete cascade,
    ordinal integer not null,
    digest text not null,
    method text not null,
    delivery text,
    on_result_stream boolean,
    delivery_node bigint,
    answer_state text,
    params text not null,
    answer text,
    primary key (task, ordinal)
);

create index mcp_question_delivery on mcp_question (delivery_node) where delivery_node is not null;

create table mcp_once (
    task bigint not null references mcp_task (seq) on delete cascade,
    key text not null,
    run bigint not null,
    value text not null,
    primary key (task, key)
);

-- As db-scheduler has it.
create table mcp_scheduled (
    task_name text not null,
    task_instance text not null,
    task_data ${bytes},
    execution_time ${timestamp} not null,
    picked boolean not null,
    picked_by text,
    last_success ${timestamp},
    last_failure ${timestamp},
    consecutive_failures integer,
    last_heartbeat ${timestamp},
    version bigint not null,
    priority smallint,
    primary key (task_name, task_instance)
);

create index mcp_scheduled_time on mcp_scheduled (execution_time);

create index mcp_scheduled_heartbeat on mcp_scheduled (last_heartbeat);
