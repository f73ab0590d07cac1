package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.EventId;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.EventStore.Stream;
import dev.fairlead.protocol.SessionStore;
import dev.fairlead.protocol.StoredSession;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The contract of every {@link EventStore} that keeps events when its process ends: all of {@link
 * EventStoreContract}, events survive the change of the process, and sessions are stored as by a
 * {@link SessionStore}. Stores that several processes use at the same time extend {@link
 * SharedEventStoreContract}.
 */
public abstract class DurableEventStoreContract extends EventStoreContract {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final JsonObject STATE = JsonObject.of("revision", "2025-11-25", "level", "é");

    /**
     * Returns a store with the contents of the one that was made last, which is not used any more.
     */
    protected abstract EventStore restarted() throws Exception;

    private static StoredSession session(String key, String name) {
        return new StoredSession(key, name, Caller.anonymous(), STATE, 0);
    }

    private SessionStore newSessions() throws Exception {
        return newStore(ROOMY).sessions().orElseThrow();
    }

    @Test
    void eventsOutliveTheProcess() throws Exception {
        EventStore before = newStore(ROOMY);
        before.sessions().orElseThrow().open(session("key", "s"));
        Stream open = new Stream("s", "p1", List.of(RequestId.of("a"), RequestId.of(1)));
        before.append(open, data(10));
        append(before, "s", "g1");
        append(before, "s", "g1");
        before.end("s", "g1");

        EventStore after = restarted();
        assertEquals(Optional.of(open), after.open("s", "p1"));
        assertEquals(Optional.empty(), after.open("s", "g1"));
        assertEquals(List.of(2L), numbersAfter(after, new EventId("s", "g1", 1)));
        after.sessions().orElseThrow().take("key", 0, HOUR);
        assertEquals(2, after.append(open, data(1)).number());
    }

    @Test
    void sessionsOutliveTheProcessAndCountThat() throws Exception {
        SessionStore before = newSessions();
        Caller caller = Caller.of("https://login.example", "ada", "desk", Set.of("read", "write"));
        StoredSession known = new StoredSession("key", "name", caller, STATE, 0);
        before.open(known);
        before.open(session("other", "another"));

        SessionStore after = restarted().sessions().orElseThrow();
        assertEquals(known, after.find("key").orElseThrow().session());
        assertEquals(
                Optional.of(new StoredSession("key", "name", caller, STATE, 1)),
                after.take("key", 0, HOUR));
        assertEquals(2, after.take("key", 1, HOUR).orElseThrow().restored());
        assertEquals(0, after.find("other").orElseThrow().session().restored());
    }

    @Test
    void whatChangesInASessionIsKept() throws Exception {
        SessionStore store = newSessions();
        store.open(session("key", "name"));
        StoredSession restored = store.take("key", 0, HOUR).orElseThrow();
        JsonObject changed = JsonObject.of("level", "debug");
        store.save(new StoredSession("key", "name", restored.caller(), changed, 1));

        StoredSession found = store.find("key").orElseThrow().session();
        assertEquals(changed, found.state());
        assertEquals(1, found.restored());
    }

    @Test
    void anUnknownSessionIsNotFound() throws Exception {
        SessionStore store = newSessions();
        store.open(session("key", "name"));
        assertTrue(store.remove("key", 0));
        assertTrue(store.remove("never", 0));
        store.touch(List.of("key", "never"));

        assertEquals(Optional.empty(), store.find("key"));
        assertEquals(Optional.empty(), store.take("key", 0, HOUR));
        assertEquals(Optional.empty(), store.find("never"));
    }

    @Test
    void aSessionThatWasNotUsedForLongIsForgottenWithItsStreams() throws Exception {
        EventStore events = newStore(ROOMY);
        SessionStore store = events.sessions().orElseThrow();
        store.open(session("key", "name"));
        EventId event = append(events, "name", "g1");
        append(events, "other", "g1");
        store.purge(HOUR);
        assertTrue(store.find("key").isPresent());

        while (store.find("key").isPresent()) {
            store.purge(Duration.ofMillis(1));
        }
        assertEquals(Optional.empty(), store.take("key", 0, HOUR));
        assertEquals(Optional.empty(), events.after(event, 10));
        assertEquals(List.of(1L), numbersAfter(events, new EventId("other", "g1", 0)));
    }

    @Test
    void aSessionThatIsUsedStays() throws Exception {
        SessionStore store = newSessions();
        boolean stays = false;
        for (int age = 1; !stays && age <= 32; age *= 2) { // this thread may be delayed for less
            store.open(session("used" + age, "a" + age));
            store.open(session("unused" + age, "b" + age));
            while (store.find("unused" + age).isPresent()) {
                store.touch(List.of("used" + age));
                store.purge(Duration.ofSeconds(age));
            }
            stays = store.take("used" + age, 0, HOUR).isPresent();
        }
        assertTrue(stays);
    }

    @Test
    void aSessionThatWasUnusedForTooLongIsNotRestored() throws Exception {
        SessionStore store = newSessions();
        store.open(session("key", "name"));
        int restored = 0;
        while (store.take("key", restored, Duration.ofMillis(1)).isPresent()) {
            restored++;
            RealTime.pass(Duration.ofMillis(5));
        }

        assertTrue(store.find("key").isPresent());
    }
}
