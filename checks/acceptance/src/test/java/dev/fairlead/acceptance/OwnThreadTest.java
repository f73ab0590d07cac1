package dev.fairlead.proofs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.PromptMessage;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;

/** Which features run on the thread that reads, and which never do. */
@Timeout(120)
@ParameterizedClass
@EnumSource(value = ReadingPlace.class, names = "JETTY", mode = EnumSource.Mode.EXCLUDE)
class OwnThreadTest {
    private static final int RUNS = 200; // a feature is quick after 33, if they were

    record Note(String id) {}

    record Empty() {}

    record Done(String text) {}

    /** Each kind of feature, and how it is used. */
    enum Kind {
        TOOL("the tool own") {
            @Override
            void use(McpClient client, String name) throws InterruptedException {
                client.callTool(name, JsonObject.EMPTY);
            }
        },
        PROMPT("the prompt own") {
            @Override
            void use(McpClient client, String name) throws InterruptedException {
                client.getPrompt(name, new Empty());
            }
        },
        RESOURCE("the resource file:///own") {
            @Override
            void use(McpClient client, String name) throws InterruptedException {
                client.readResource("file:///" + name);
            }
        },
        TEMPLATE("the resource template own://{id}") {
            @Override
            void use(McpClient client, String name) throws InterruptedException {
                client.readResource(name + "://1");
            }
        },
        METHOD("the method example/own") {
            @Override
            void use(McpClient client, String name) throws InterruptedException {
                client.request("example/" + name, JsonObject.EMPTY);
            }
        };

        private final String own;

        Kind(String own) {
            this.own = own;
        }

        abstract void use(McpClient client, String name) throws InterruptedException;
    }

    private final ReadingPlace place;
    private final ConcurrentLinkedQueue<Long> threads = new ConcurrentLinkedQueue<>();
    private final AtomicReference<McpServer> server = new AtomicReference<>();
    private McpClient client;

    OwnThreadTest(ReadingPlace place) {
        this.place = place;
    }

    @BeforeEach
    void forget() {
        threads.clear();
    }

    @AfterEach
    void close() {
        client.close();
        server.get().close();
    }

    private String ran() {
        threads.add(Thread.currentThread().threadId());
        return "done";
    }

    /** One feature of each kind with threads of its own, and one without. */
    private McpServer.Builder features() {
        return McpServer.named("threads", "1")
                .withoutRateLimit()
                .tool("own", "Has own threads", NoInput.class, String.class)
                .ownThread()
                .handle((none, call) -> ran())
                .tool("shared", "May share a thread", NoInput.class, String.class)
                .handle((none, call) -> ran())
                .prompt("own", "Has own threads", Empty.class)
                .ownThread()
                .handle((none, call) -> GetPromptResult.of(PromptMessage.user(ran())))
                .prompt("shared", "May share a thread", Empty.class)
                .handle((none, call) -> GetPromptResult.of(PromptMessage.user(ran())))
                .resource("file:///own", "own", String.class)
                .ownThread()
                .handle((request, call) -> ran())
                .resource("file:///shared", "shared", String.class)
                .handle((request, call) -> ran())
                .resourceTemplate("own://{id}", "own notes", Note.class, String.class)
                .ownThread()
                .handle((note, call) -> ran())
                .resourceTemplate("shared://{id}", "shared notes", Note.class, String.class)
                .handle((note, call) -> ran())
                .method("example/own", Empty.class, Done.class)
                .ownThread()
                .handle((none, call) -> new Done(ran()))
                .method("example/shared", Empty.class, Done.class)
                .handle((none, call) -> new Done(ran()));
    }

    private void connect(McpServer.Builder builder) throws Exception {
        server.set(builder.build());
        client = place.connect(server.get());
    }

    private void assertEachRunHasAThread(Kind kind, String name) throws InterruptedException {
        for (int i = 0; i < RUNS; i++) {
            kind.use(client, name);
        }
        Set<Long> different = new HashSet<>(threads);
        assertThat(threads).hasSize(RUNS);
        assertThat(different).hasSize(RUNS);
    }

    @ParameterizedTest
    @EnumSource
    void aFeatureWithOwnThreadNeverSharesOne(Kind kind) throws Exception {
        connect(features());

        assertEachRunHasAThread(kind, "own");
        assertThat(server.get().quickFeatures()).doesNotContain(kind.own);
    }

    @ParameterizedTest
    @EnumSource
    void aQuickFeatureSharesTheThreadThatReads(Kind kind) throws Exception {
        connect(features());

        String shared = kind.own.replace("own", "shared");
        do { // on a cold machine: many
            kind.use(client, "shared");
        } while (new HashSet<>(threads).size() == threads.size()
                || !server.get().quickFeatures().contains(shared));
    }

    @ParameterizedTest
    @EnumSource
    void noFeatureOfAServerWithOwnThreadSharesOne(Kind kind) throws Exception {
        connect(features().ownThread());

        assertEachRunHasAThread(kind, "shared");
        assertThat(List.copyOf(server.get().quickFeatures())).isEmpty();
    }
}
