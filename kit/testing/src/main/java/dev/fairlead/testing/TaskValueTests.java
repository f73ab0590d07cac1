package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.fairlead.json.RawJson;
import dev.fairlead.tasks.Recorded;
import dev.fairlead.tasks.TaskRun;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** Values that are recorded once. */
abstract class TaskValueTests extends TaskStoreTests {
    TaskValueTests(TaskStoreContract contract) {
        super(contract);
    }

    @Test
    void theFirstValueStands() throws Exception {
        TaskRun run = create();
        assertInstanceOf(Recorded.Nothing.class, store.recorded(run, "key"));
        assertBytes(json("first"), store.record(run, "key", json("first")).orElseThrow());
        assertBytes(json("first"), store.record(run, "key", json("second")).orElseThrow());
        assertBytes(json("first"), recorded(run, "key"));
    }

    @Test
    void valuesOfEarlierRunsStand() throws Exception {
        TaskRun first = create();
        store.record(first, "key", json("first"));
        TaskRun second = nextRun(first);
        assertBytes(json("first"), recorded(second, "key"));
        assertBytes(json("first"), store.record(second, "key", json("second")).orElseThrow());
        assertBytes(json("other"), store.record(second, "other", json("other")).orElseThrow());
    }

    @Test
    void aRunThatHasLostItsTaskGetsLostWhetherThereIsAValueOrNot() throws Exception {
        TaskRun first = create();
        store.record(first, "key", json("first"));
        TaskRun second = nextRun(first);
        assertInstanceOf(Recorded.Lost.class, store.recorded(first, "key"));
        assertInstanceOf(Recorded.Lost.class, store.recorded(first, "other"));
        assertInstanceOf(Recorded.Nothing.class, store.recorded(second, "other"));
    }

    @Test
    void eachTaskHasItsOwn() throws Exception {
        TaskRun one = create();
        TaskRun other = create();
        store.record(one, "key", json("one"));
        assertInstanceOf(Recorded.Nothing.class, store.recorded(other, "key"));
        assertBytes(json("other"), store.record(other, "key", json("other")).orElseThrow());
    }

    @Test
    void keysOfAnyKindAreDifferentKeys() throws Exception {
        TaskRun run = create();
        List<String> keys = new ArrayList<>(HOSTILE_TEXTS);
        String all = String.join("", HOSTILE_TEXTS);
        keys.addAll(List.of("Key", "key", "key ", " key", "key\u0000", all, all + "x", all + "y"));
        for (String key : keys) {
            RawJson value = json("value of " + key);
            assertBytes(value, store.record(run, key, value).orElseThrow());
        }
        for (String key : keys) {
            assertBytes(json("value of " + key), recorded(run, key));
        }
    }

    @Test
    void valuesOfAnyKindComeBackByteForByte() throws Exception {
        TaskRun run = create();
        List<String> values =
                List.of("null", "0", "\"\"", "[ ]", "{ }", " \t1.0e0 ", "\"\\u0000\"");
        for (String value : values) {
            store.record(run, value, RawJson.parse(value));
            assertBytes(RawJson.parse(value), recorded(run, value));
        }
        store.record(run, "large", megabyte());
        assertBytes(megabyte(), recorded(run, "large"));
    }
}
