package dev.fairlead.tasks;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.tasks.TaskId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A task to be stored.
 *
 * @param id new, with 128 bits of randomness
 * @param owner the requestor that may see it
 * @param method the method of the request, such as {@code tools/call}
 * @param name the name of the item, such as the tool; empty where the method needs none
 * @param origin all that a run needs, as an object that only the engine's owner reads: arguments, a
 *     snapshot of the caller; never tokens or headers
 * @param progressToken under which its requestor wants progress; null for none
 * @param ttl how long it is kept, counted from now
 * @param rerunnable whether it may run again after the node that ran it died
 * @param answers the questions that its requestor has answered already, in the order in which a run
 *     asks: the first has the ordinal 1
 * @param values the recorded values, by key; see {@link TaskStore#record}
 */
public record NewTask(
        TaskId id,
        Owner owner,
        String method,
        String name,
        RawJson origin,
        @Nullable ProgressToken progressToken,
        Duration ttl,
        boolean rerunnable,
        List<AnsweredQuestion> answers,
        Map<String, RawJson> values) {
    public NewTask {
        answers = List.copyOf(answers);
        values = Map.copyOf(values);
    }

    /** Creates a task without questions. */
    public NewTask(
            TaskId id,
            Owner owner,
            String method,
            String name,
            RawJson origin,
            @Nullable ProgressToken progressToken,
            Duration ttl,
            boolean rerunnable) {
        this(id, owner, method, name, origin, progressToken, ttl, rerunnable, List.of(), Map.of());
    }
}
