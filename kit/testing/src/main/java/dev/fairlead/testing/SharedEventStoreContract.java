package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.EventId;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.EventStore.Stream;
import dev.fairlead.protocol.SessionMovedException;
import dev.fairlead.protocol.SessionStore;
import dev.fairlead.protocol.StoredSession;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

/**
 * The contract of every {@link EventStore} that several nodes use at the same time: all of {@link
 * DurableEventStoreContract}, and each session, with its streams, belongs to one of them.
 */
public abstract class SharedEventStoreContract extends DurableEventStoreContract {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Stream CALL = new Stream("s", "p1", List.of(RequestId.of(1)));
    private static final Stream LISTENING = new Stream("s", "g1", List.of());
    private static final StoredSession SESSION = of(0, "debug");

    /**
     * Returns a store on the same contents as the one that was made last, as of another node; both
     * are used.
     */
    protected abstract EventStore another() throws Exception;

    private static StoredSession of(int restored, String level) {
        JsonObject state = JsonObject.of("level", level);
        return new StoredSession("key", "s", Caller.anonymous(), state, restored);
    }

    private static SessionStore sessions(EventStore store) {
        return store.sessions().orElseThrow();
    }

    @Test
    void aFormerOwnerSavesEndsGivesAndAppendsNothing() throws Exception {
        EventStore former = newStore(ROOMY);
        EventStore owner = another();
        sessions(former).open(SESSION);
        former.append(CALL, data(1));
        former.append(LISTENING, data(1));

        assertEquals(Optional.of(of(1, "debug")), sessions(owner).take("key", 0, HOUR));

        assertThrows(SessionMovedException.class, () -> sessions(former).save(of(0, "info")));
        assertFalse(sessions(former).remove("key", 0));
        assertFalse(sessions(former).give("key", 0));
        assertThrows(SessionMovedException.class, () -> former.append(CALL, data(2)));
        assertThrows(SessionMovedException.class, () -> former.append(LISTENING, data(2)));
        Stream later = new Stream("s", "p2", List.of(RequestId.of(2)));
        assertThrows(SessionMovedException.class, () -> former.append(later, data(2)));
        former.end("s", "g1");

        assertEquals(of(1, "debug"), sessions(owner).find("key").orElseThrow().session());
        assertEquals(Optional.of(LISTENING), owner.open("s", "g1"));
        assertEquals(List.of(1L), numbersAfter(owner, new EventId("s", "p1", 0)));
        assertEquals(2, owner.append(CALL, data(1)).number());
        assertEquals(2, owner.append(LISTENING, data(1)).number());
        sessions(owner).save(of(1, "info"));
        assertTrue(sessions(owner).remove("key", 1));
    }

    @Test
    void aSessionThatComesBackIsNotThatOfItsFirstTime() throws Exception {
        EventStore first = newStore(ROOMY);
        EventStore second = another();
        sessions(first).open(SESSION);
        sessions(second).take("key", 0, HOUR);
        sessions(first).take("key", 1, HOUR);

        assertThrows(SessionMovedException.class, () -> sessions(first).save(of(0, "info")));
        assertFalse(sessions(first).remove("key", 0));
        sessions(first).save(of(2, "info"));

        assertEquals(of(2, "info"), sessions(second).find("key").orElseThrow().session());
    }

    @Test
    void aSessionThatWasGivenBelongsToNoNodeUntilOneTakesIt() throws Exception {
        EventStore giver = newStore(ROOMY);
        EventStore taker = another();
        sessions(giver).open(SESSION);
        giver.append(LISTENING, data(1));

        assertTrue(sessions(giver).give("key", 0));
        assertFalse(sessions(giver).give("key", 0));
        assertThrows(SessionMovedException.class, () -> sessions(giver).save(of(0, "info")));
        assertThrows(SessionMovedException.class, () -> giver.append(LISTENING, data(1)));

        assertEquals(1, sessions(taker).take("key", 0, HOUR).orElseThrow().restored());
        assertEquals(2, taker.append(LISTENING, data(1)).number());
    }

    @Test
    void aSessionThatWasTakenCannotBeGiven() throws Exception {
        EventStore giver = newStore(ROOMY);
        EventStore taker = another();
        sessions(giver).open(SESSION);
        sessions(taker).take("key", 0, HOUR);

        assertFalse(sessions(giver).give("key", 0));
        assertFalse(sessions(giver).give("key", 1));

        sessions(taker).save(of(1, "info"));
    }

    @Test
    void ofManyThatTakeASessionAtOnceOneGetsIt() throws Exception {
        List<EventStore> nodes = new ArrayList<>(List.of(newStore(ROOMY), another(), another()));
        sessions(nodes.getFirst()).open(SESSION);
        for (int restored = 0; restored < 20; restored++) {
            int found = restored;
            CountDownLatch start = new CountDownLatch(1);
            List<FutureTask<Optional<StoredSession>>> takers = new ArrayList<>();
            for (EventStore node : nodes) {
                FutureTask<Optional<StoredSession>> taker =
                        new FutureTask<>(
                                () -> {
                                    start.await();
                                    return sessions(node).take("key", found, HOUR);
                                });
                takers.add(taker);
                Thread.ofVirtual().start(taker);
            }
            start.countDown();
            List<EventStore> owners = new ArrayList<>();
            for (int i = 0; i < takers.size(); i++) {
                if (takers.get(i).get().isPresent()) {
                    owners.add(nodes.get(i));
                }
            }

            assertEquals(1, owners.size());
            sessions(owners.getFirst()).save(of(restored + 1, "info"));
        }
    }

    @Test
    void anOwnerIsFoundAtItsAddressUntilItLeaves() throws Exception {
        EventStore first = newStore(ROOMY);
        EventStore second = another();
        sessions(first).open(SESSION);
        assertNull(sessions(second).find("key").orElseThrow().owner());
        try (SessionStore.Membership other = sessions(second).join(() -> {})) {
            SessionStore.Membership owner = sessions(first).join(() -> {});
            owner.announce("10.0.0.7:3999");

            long node = owner.node();
            SessionStore.Owner found = sessions(second).find("key").orElseThrow().owner();
            assertEquals(new SessionStore.Owner(node, "10.0.0.7:3999"), found);
            assertNull(sessions(first).find("key").orElseThrow().owner());
            assertEquals(List.of(found), other.living());

            owner.close();
            assertNull(sessions(second).find("key").orElseThrow().owner());
            assertEquals(List.of(), other.living());
        }
    }
}
