package dev.fairlead.client.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.FakeServer;
import dev.fairlead.client.McpClient;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.tools.Tool;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.atomic.AtomicBoolean;

/** The lists of one server, without the others of its group. */
@Timeout(60)
class KeptListsTest {
    private final AtomicBoolean failing = new AtomicBoolean(true);
    private final FakeServer files = Fakes.tools("files", "read");

    private void changed() {
        if (failing.get()) {
            throw new StackOverflowError("expected by this test");
        }
    }

    @Test
    void listsWithWhichTheGroupFailsAreNotKept() throws Exception {
        ManualTimers timers = new ManualTimers();
        GroupSettings settings = new GroupSettings("desk", "1.4.0");
        MemberState state = new MemberState("files", settings.backoff, timers, status -> {});
        KeptLists lists = new KeptLists("files", settings, timers, state, this::changed);
        try (McpClient client = McpClient.named("desk", "1.4.0").connect(files)) {
            int connection = state.begin();
            assertThatThrownBy(() -> lists.enter(client, () -> {}))
                    .isInstanceOf(StackOverflowError.class);
            assertThat(lists.known()).isEqualTo(Lists.NONE);

            failing.set(false);
            lists.enter(
                    client, () -> state.become(connection, ServerState.CONNECTED, null, client));
            assertThat(lists.shown().tools()).extracting(Tool::name).containsExactly("read");

            failing.set(true);
            Fakes.listing(files, "write");
            assertThatThrownBy(lists::refresh).isInstanceOf(StackOverflowError.class);
            assertThat(lists.shown().tools()).extracting(Tool::name).containsExactly("read");
        }
    }
}
