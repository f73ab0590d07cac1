package dev.fairlead.jdbc;

import dev.fairlead.protocol.options.Checks;
import dev.fairlead.tasks.TaskOverview;

import java.util.List;

/** Tasks of all owners and nodes. Each query reads its index from the end, and no further rows. */
final class OverviewTable implements TaskOverview {
    private static final String SELECT =
            "select "
                    + TaskRows.COLUMNS
                    + ", (select n.name from mcp_node n where n.id = mcp_task.node) as node_name,"
                    + " case when state = 'INPUT_REQUIRED' then (select q.method from mcp_question"
                    + " q where q.task = mcp_task.seq and q.answer_state is null order by q.ordinal"
                    + " limit 1) end as question from mcp_task where space = ? and ";

    private static final String LAST = " order by expires desc limit ?";

    private final StoreAccess access;
    private final UnreadableRows rows;

    OverviewTable(StoreAccess access) {
        this.access = access;
        this.rows = access.rows();
    }

    @Override
    public List<Seen> open(int limit) {
        return list(TaskRows.UNFINISHED, limit);
    }

    @Override
    public List<Seen> ended(int limit) {
        return list(TaskRows.ENDED + " and expires > {now}", limit);
    }

    private List<Seen> list(String condition, int limit) {
        Checks.positive(limit, "limit");
        return access.read(
                s ->
                        rows.list(
                                s,
                                SELECT + condition + LAST,
                                row ->
                                        new Seen(
                                                TaskRows.stored(row),
                                                Texts.decodeOrNull(row.textOrNull("node_name")),
                                                Texts.decodeOrNull(row.textOrNull("question"))),
                                access.space(),
                                access.now(),
                                limit));
    }
}
