package dev.fairlead.jdbc;

import static dev.fairlead.jdbc.TaskRows.ENDED;

import dev.fairlead.protocol.Owner;
import dev.fairlead.tasks.TaskOutcome;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Removes the oldest ended tasks of owners that have more of them, or more bytes of results, than
 * the limits allow. All anonymous owners together are bounded as well. A check costs as much as the
 * owner has tasks, so it is done only after an owner has stored an eighth of its limits; tasks
 * stored until the next sweep come on top. Thread-safe.
 */
final class EndedShares {
    /** The share of all anonymous owners together: this many times the limits of one owner. */
    static final int ANONYMOUS = 4;

    private static final int PART = 8;
    static final int MAX_OWNERS = 10_000;

    /** Takes owner or access, the limits and the most that is removed. The newest always stays. */
    private static final String TRIM =
            "with c as materialized (select seq from (select seq,"
                    + " row_number() over (order by seq desc) as place,"
                    + " sum(octet_length(coalesce(outcome, ''))) over (order by seq desc) as bytes"
                    + " from mcp_task where %s = ? and "
                    + ENDED
                    + ") t where place > ? or (place > 1 and bytes > ?) order by seq limit ?)"
                    + " delete from mcp_task where seq in (select seq from c)";

    private static final String OF_OWNER = TRIM.formatted("owner");
    private static final String OF_ANONYMOUS =
            TRIM.formatted("space = ? and access"); // as the index of ended tasks begins

    private final StoreAccess access;
    private final long maxTasks;
    private final long maxBytes;
    private final Map<String, Stored> owners = // guarded by this; the owner used last is the last
            new LinkedHashMap<>(16, 0.75f, true);
    private final Stored anonymous = new Stored();

    /** The tasks and bytes stored since the last check. */
    private static final class Stored {
        long tasks;
        long bytes;

        void add(long more) {
            tasks++;
            bytes += more;
        }

        boolean exceeds(long mostTasks, long mostBytes) {
            return tasks > mostTasks || bytes > mostBytes;
        }
    }

    EndedShares(StoreAccess access, DatabaseOptions options) {
        this.access = access;
        this.maxTasks = options.endedPerOwner();
        this.maxBytes = options.endedBytesPerOwner();
    }

    /** Counts a task that has ended. */
    synchronized void ended(Owner owner, TaskOutcome outcome) {
        long bytes = outcome instanceof TaskOutcome.Result result ? result.value().size() : 0;
        owners.computeIfAbsent(access.owner(owner), key -> new Stored()).add(bytes);
        if (owners.size() > MAX_OWNERS) {
            owners.remove(owners.keySet().iterator().next());
        }
        if (owner instanceof Owner.Anonymous) {
            anonymous.add(bytes);
        }
    }

    /** Removes the tasks that exceed the limits, at most this many of each owner. */
    void trim(int most) {
        for (String owner : due()) {
            access.transact(s -> s.update(OF_OWNER, owner, maxTasks, maxBytes, most));
        }
        if (isAnonymousDue()) {
            String all = access.access(new Owner.Anonymous(""));
            access.transact(
                    s ->
                            s.update(
                                    OF_ANONYMOUS,
                                    access.space(),
                                    all,
                                    ANONYMOUS * maxTasks,
                                    ANONYMOUS * maxBytes,
                                    most));
        }
    }

    private synchronized List<String> due() {
        List<String> due = new ArrayList<>();
        owners.forEach(
                (owner, stored) -> {
                    if (stored.exceeds(maxTasks / PART, maxBytes / PART)) {
                        due.add(owner);
                    }
                });
        due.forEach(owners::remove);
        return due;
    }

    private synchronized boolean isAnonymousDue() {
        boolean due = anonymous.exceeds(ANONYMOUS * maxTasks / PART, ANONYMOUS * maxBytes / PART);
        if (due) {
            anonymous.tasks = 0;
            anonymous.bytes = 0;
        }
        return due;
    }
}
