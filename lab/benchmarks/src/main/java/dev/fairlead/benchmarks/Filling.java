package dev.fairlead.benchmarks;

import dev.fairlead.jdbc.Database;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.tasks.TaskId;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Many ended tasks, stored past the store. Half of them belong to one owner, as they all do behind
 * stdio; each other owner has a hundred.
 */
final class Filling {
    private static final String INSERT =
            "insert into mcp_task (id, space, owner, access, state, run, created, updated, ttl,"
                    + " expires, rerunnable, owner_key, method, name_key, name, origin, outcome)"
                    + " select 'task-' || i, 'tasks', 'tasks|local|' || o, 'tasks|local|' || o,"
                    + " 'RESULT', 1, {now}, {now}, 86400000, {now} + 86400000, {true},"
                    + " 'local|' || o, 'tools/call', 'work', 'work', '{origin}', '{outcome}'"
                    + " from (select i, case when i % 2 = 0 then 'all'"
                    + " else 'owner' || (i / 200) end as o from {numbers}) t";

    private Filling() {}

    static void fill(String url, StoreKind kind, int tasks) throws SQLException {
        Database.open(url).close(); // makes the tables
        boolean sqlite = kind == StoreKind.SQLITE;
        String target = sqlite ? "jdbc:sqlite:" + url.substring("file:".length()) : url;
        String now = String.valueOf(System.currentTimeMillis());
        String insert =
                INSERT.replace("{now}", now)
                        .replace("{true}", sqlite ? "1" : "true")
                        .replace("{origin}", OpenEngine.ORIGIN.toJson())
                        .replace("{outcome}", OpenEngine.ORIGIN.toJson())
                        .replace("{numbers}", numbers(sqlite, tasks));
        try (Connection connection = DriverManager.getConnection(target);
                Statement statement = connection.createStatement()) {
            statement.execute(insert);
            if (!sqlite) {
                statement.execute("vacuum analyze mcp_task");
            }
        }
    }

    private static String numbers(boolean sqlite, int tasks) {
        return sqlite
                ? "(with recursive n(i) as (select 0 union all select i + 1 from n where i < "
                        + (tasks - 1)
                        + ") select i from n) numbers"
                : "generate_series(0, " + (tasks - 1) + ") numbers(i)";
    }

    static TaskId id(int task) {
        return new TaskId("task-" + task);
    }

    static Owner owner(int task) {
        return new Owner.Local(task % 2 == 0 ? "all" : "owner" + task / 200);
    }
}
