package dev.fairlead.docs;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.TaskHandle;
import dev.fairlead.jdbc.Database;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.tasks.TaskStatus;
import dev.fairlead.server.McpServer;
import dev.fairlead.tasks.TaskEvent;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The examples of the page about tasks work. */
final class TaskSnippetsTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private static McpClient client(McpServer server) throws InterruptedException {
        return McpClient.named("reader", "1") // of sessions, which have immediate responses
                .revisions(Revision.V2024_11_05, Revision.NEWEST_WITH_HANDSHAKE)
                .onElicitForm(form -> Answer.accept(new TaskSnippets.Confirm(true)))
                .connect(server.inProcess());
    }

    @Test
    void theShopSellsPlainlyAndAsATaskAndChargesEachOnce(@TempDir Path folder) throws Exception {
        TaskSnippets.Payments payments = new TaskSnippets.Payments();
        McpServer.Builder shop = TaskSnippets.shop(payments);
        try (Database database = TaskSnippets.store(shop, folder);
                McpServer server = shop.build();
                McpClient client = client(server)) {
            var buy = client.tool("buy", TaskSnippets.Buy.class, TaskSnippets.Receipt.class);
            TaskSnippets.Receipt tea = new TaskSnippets.Receipt("tea", 3);
            assertThat(buy.call(new TaskSnippets.Buy("tea"))).isEqualTo(tea);
            TaskHandle<TaskSnippets.Receipt> started = buy.start(new TaskSnippets.Buy("tea"));
            assertThat(started.immediateResponse()).contains("The order is under way.");
            assertThat(started.await(SOON)).isEqualTo(tea);
            assertThat(payments.keys).hasSize(2).doesNotHaveDuplicates();
            assertThat(database).isNotNull();
        }
    }

    @Test
    void aFilmIsFinishedByAWebhook() throws Exception {
        TaskSnippets.Farm farm = new TaskSnippets.Farm();
        try (McpServer studio = TaskSnippets.studio(farm);
                McpClient client = client(studio)) {
            TaskHandle<String> film =
                    client.tool("render", TaskSnippets.Film.class, String.class)
                            .start(new TaskSnippets.Film("sea"));
            await("the film waits for its webhook")
                    .until(() -> TaskSnippets.webhook(studio, "job-sea", "sea.mp4"));
            assertThat(film.await(SOON)).isEqualTo("sea.mp4");
            assertThat(film.status()).isEqualTo(TaskStatus.COMPLETED);
            assertThat(TaskSnippets.webhook(studio, "job-sea", "again.mp4")).isFalse();
        }
    }

    @Test
    void taskEventsReachTheListener() throws Exception {
        List<TaskEvent> log = new CopyOnWriteArrayList<>();
        try (McpServer server =
                        TaskSnippets.shop(new TaskSnippets.Payments())
                                .tasks(TaskSnippets.audited(log))
                                .build();
                McpClient client = client(server)) {
            client.tool("buy", TaskSnippets.Buy.class, TaskSnippets.Receipt.class)
                    .start(new TaskSnippets.Buy("tea"))
                    .await(SOON);

            // reported after the store has it, so perhaps after a caller has fetched it
            await("the end was reported")
                    .until(
                            () ->
                                    log.stream()
                                            .anyMatch(
                                                    event ->
                                                            event.kind()
                                                                    == TaskEvent.Kind.FINISHED));
            assertThat(log)
                    .extracting(TaskEvent::kind)
                    .contains(TaskEvent.Kind.CREATED, TaskEvent.Kind.FINISHED);
        }
    }
}
