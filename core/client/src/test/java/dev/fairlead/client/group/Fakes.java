package dev.fairlead.client.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.FakeServer;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Scripted servers for a group, and a way to wait for events of its listeners. */
final class Fakes {
    private Fakes() {}

    /** A server with these tools, which answer with the name of the server and their own. */
    static FakeServer tools(String server, String... names) {
        return listing(
                new FakeServer()
                        .greet("2025-11-25", "{\"tools\": {\"listChanged\": true}}")
                        .on("ping", "{}")
                        .on(
                                "tools/call",
                                params ->
                                        "{\"content\": [{\"type\": \"text\", \"text\": \"%s/%s\"}]}"
                                                .formatted(server, params.string("name"))),
                names);
    }

    /** Has each call be a task named {@code t-1}, which has ended when it is looked at. */
    static FakeServer asTasks(FakeServer server, String result) {
        String task =
                """
                "taskId": "t-1", "status": "%s", "createdAt": "2025-11-25T00:00:00Z",
                "lastUpdatedAt": "2025-11-25T00:00:00Z", "ttl": 60000, "pollInterval": 100\
                """;
        return server.greet("2025-11-25", FakeServer.TASKS)
                .on("tools/call", "{\"task\": {" + task.formatted("working") + "}}")
                .on("tasks/get", "{" + task.formatted("completed") + "}")
                .on(
                        "tasks/result",
                        "{\"content\": [{\"type\": \"text\", \"text\": \"%s\"}]}"
                                .formatted(result));
    }

    static FakeServer listing(FakeServer server, String... names) {
        return server.on(
                "tools/list",
                Stream.of(names)
                        .map(
                                name ->
                                        "{\"name\": \"%s\", \"inputSchema\": {\"type\": \"object\"}}"
                                                .formatted(name))
                        .collect(Collectors.joining(",", "{\"tools\": [", "]}")));
    }

    /** Takes items until this one comes. */
    static <T> void awaitItem(BlockingQueue<T> queue, T item) throws InterruptedException {
        T next = queue.poll(30, TimeUnit.SECONDS);
        while (!item.equals(next)) {
            assertThat(next).as("instead of %s", item).isNotNull();
            next = queue.poll(30, TimeUnit.SECONDS);
        }
    }
}
