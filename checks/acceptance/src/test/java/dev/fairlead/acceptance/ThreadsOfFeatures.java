package dev.fairlead.acceptance;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.PromptMessage;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.test.shared.ReadingPlace;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;

/** A server with features of all kinds, with threads of their own and without. */
abstract class ThreadsOfFeatures {
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

        final String own;

        Kind(String own) {
            this.own = own;
        }

        abstract void use(McpClient client, String name) throws InterruptedException;
    }

    private final ReadingPlace place;
    final ConcurrentLinkedQueue<Long> threads = new ConcurrentLinkedQueue<>();
    final AtomicReference<McpServer> server = new AtomicReference<>();
    McpClient client;

    ThreadsOfFeatures(ReadingPlace place) {
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
    McpServer.Builder features() {
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

    void connect(McpServer.Builder builder) throws Exception {
        server.set(builder.build());
        client = place.connect(server.get());
    }
}
