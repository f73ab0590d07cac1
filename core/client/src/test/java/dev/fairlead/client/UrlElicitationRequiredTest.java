package dev.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.elicitation.ElicitUrlRequest;
import dev.fairlead.protocol.elicitation.UrlElicitationRequiredException;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Requests that need pages to be visited first. */
final class UrlElicitationRequiredTest {
    private static final String REQUIRED =
            """
            error:{"code": -32042, "message": "Sign in first", "data": {"elicitations": [
              {"mode": "url", "message": "One", "url": "https://a.example/1", "elicitationId": "e-1"},
              {"mode": "url", "message": "Two", "url": "https://a.example/2", "elicitationId": "e-2"}]}}\
            """;

    private final FakeServer server = new FakeServer();
    private final ManualTimers timers = new ManualTimers();
    private final AtomicInteger calls = new AtomicInteger();
    private final List<String> visited = new CopyOnWriteArrayList<>();
    private final Semaphore shown = new Semaphore(0);
    private volatile Answer<?> consent = Answer.accept();
    private volatile CountDownLatch held = new CountDownLatch(0); // the person meanwhile
    private McpClient client;

    @BeforeEach
    void connect() throws Exception {
        client =
                McpClient.named("desk", "1")
                        .onElicitUrl(
                                link -> {
                                    CountDownLatch until = held;
                                    visited.add(link.url().toString());
                                    shown.release();
                                    until.await();
                                    return consent;
                                })
                        .connect(server, timers);
        server.on(
                "tools/call",
                params -> calls.incrementAndGet() == 1 ? REQUIRED : "{\"content\": []}");
    }

    @AfterEach
    void close() {
        client.close();
    }

    @CheckReturnValue
    private Background<CallToolResult> calling() {
        return Background.call(
                () ->
                        client.withUrlElicitation(Duration.ofMinutes(5))
                                .callTool("t", JsonObject.EMPTY));
    }

    private void complete(String id) {
        server.notifyClient(
                "notifications/elicitation/complete", "{\"elicitationId\": \"%s\"}".formatted(id));
    }

    private void awaitShown(int pages) throws InterruptedException {
        assertThat(shown.tryAcquire(pages, 30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    @Requirement({"ELIC-028", "ELIC-030", "ELIC-031", "ERR-024"})
    void itIsATypedExceptionWithThePages() {
        assertThatThrownBy(() -> client.callTool("t", JsonObject.EMPTY))
                .hasMessage("Sign in first")
                .isInstanceOfSatisfying(
                        UrlElicitationRequiredException.class,
                        e ->
                                assertThat(e.elicitations())
                                        .extracting(ElicitUrlRequest::url)
                                        .containsExactly(
                                                "https://a.example/1", "https://a.example/2"));
        assertThat(visited).isEmpty();
    }

    /** A person is not asked ten thousand times. */
    @Test
    void tooManyPagesAreNotShown() {
        StringBuilder pages = new StringBuilder();
        for (int i = 0; i < 33; i++) {
            pages.append(i == 0 ? "" : ",")
                    .append(
                            "{\"mode\":\"url\",\"message\":\"m\",\"url\":\"https://a.example/\","
                                    + "\"elicitationId\":\"")
                    .append(i)
                    .append("\"}");
        }
        server.on(
                "tools/call",
                params ->
                        "error:{\"code\": -32042, \"message\": \"m\", \"data\": {\"elicitations\":"
                                + " ["
                                + pages
                                + "]}}");
        Background<CallToolResult> calling = calling();
        assertThatThrownBy(calling::result).isInstanceOf(UrlElicitationRequiredException.class);
        assertThat(visited).isEmpty();
    }

    @Test
    @Requirement({"ELIC-022", "ELIC-026", "ELIC-031"})
    void afterConsentAndEveryReportTheRequestIsSentOnceMore() throws Exception {
        Background<CallToolResult> calling = calling();
        awaitShown(2);
        complete("e-2");
        complete("e-1");
        assertThat(calling.result().content()).isEmpty();
        assertThat(visited).containsExactly("https://a.example/1", "https://a.example/2");
        assertThat(calls).hasValue(2);
    }

    @Test
    @Requirement("ELIC-031")
    void callsThatRequireTheSamePagesAllContinueAfterTheReports() throws Exception {
        server.on(
                "tools/call",
                params -> calls.incrementAndGet() <= 2 ? REQUIRED : "{\"content\": []}");
        Background<CallToolResult> one = calling();
        Background<CallToolResult> other = calling();
        awaitShown(4);
        timers.awaitTimers(2); // both wait
        complete("e-1");
        complete("e-2");
        assertThat(one.result().content()).isEmpty();
        assertThat(other.result().content()).isEmpty();
        assertThat(calls).hasValue(4);
    }

    @Test
    @Requirement("ELIC-031")
    void aCallWhosePersonTakesLongerContinuesWithTheReportsOfAnEarlierOne() throws Exception {
        server.on(
                "tools/call",
                params -> calls.incrementAndGet() <= 2 ? REQUIRED : "{\"content\": []}");
        Background<CallToolResult> one = calling();
        awaitShown(2);
        held = new CountDownLatch(1);
        Background<CallToolResult> other = calling();
        awaitShown(1);
        complete("e-1");
        complete("e-2");
        assertThat(one.result().content()).isEmpty();
        held.countDown();
        assertThat(other.result().content()).isEmpty();
    }

    @Test
    @Requirement("ELIC-031")
    void aServerThatIsNotContentAfterTheVisitsIsNotAskedAThirdTime() throws Exception {
        server.on(
                "tools/call",
                params -> {
                    calls.incrementAndGet();
                    return REQUIRED;
                });
        Background<CallToolResult> calling = calling();
        awaitShown(2);
        complete("e-1");
        complete("e-2");
        assertThatThrownBy(calling::result).isInstanceOf(UrlElicitationRequiredException.class);
        assertThat(calls).hasValue(2);
    }

    @Test
    @Requirement("ELIC-047")
    void withoutConsentTheExceptionStays() {
        consent = Answer.decline();
        assertThatThrownBy(() -> calling().result())
                .isInstanceOf(UrlElicitationRequiredException.class);
        assertThat(visited).hasSize(1);
        assertThat(calls).hasValue(1);
    }

    @Test
    @Requirement("ELIC-027")
    void whenTheReportsDoNotComeTheCallerMayTryAgain() throws Exception {
        Background<CallToolResult> calling = calling();
        awaitShown(2);
        complete("e-1");
        timers.awaitTimers(1);
        timers.advance(Duration.ofMinutes(5));
        assertThatThrownBy(calling::result).isInstanceOf(UrlElicitationRequiredException.class);
        client.callTool("t", JsonObject.EMPTY);
        assertThat(calls).hasValue(2);
    }

    @Test
    void closingEndsTheWait() throws Exception {
        Background<CallToolResult> calling = calling();
        awaitShown(2);
        timers.awaitTimers(1);
        client.close();
        assertThatThrownBy(calling::result)
                .isInstanceOfAny(UrlElicitationRequiredException.class, ConnectionException.class);
    }

    @Test
    void anInterruptEndsTheWait() throws Exception {
        Background<CallToolResult> calling = calling();
        awaitShown(2);
        timers.awaitTimers(1);
        calling.interrupt();
        assertThatThrownBy(calling::result).isInstanceOf(InterruptedException.class);
    }
}
