package dev.fairlead.client.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.time.ManualTimers;

import org.junit.jupiter.api.Test;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

class UrlElicitationsTest {
    private final BlockingQueue<String> completed = new LinkedBlockingQueue<>();

    /** A server chooses the ids, and of each open one the client keeps a copy. */
    @Test
    void anIdOfMoreThan1024CharactersIsNotKept() throws Exception {
        UrlElicitations visits = new UrlElicitations(completed::add, 1 << 20, new ManualTimers());
        for (int length : new int[] {1_025, 1_024}) {
            String id = "i".repeat(length);
            visits.open(id);
            visits.completed(id);
        }
        assertThat(completed.take()).hasSize(1_024); // the only one, in their order
    }
}
