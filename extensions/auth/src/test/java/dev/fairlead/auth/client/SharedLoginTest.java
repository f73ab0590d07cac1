package dev.fairlead.auth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.ChildJvm;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Several who share a login do not use one refresh token twice, for issuers take it once. */
@Requirement({"AUTH-055", "AUTH-066"})
@Timeout(60)
class SharedLoginTest {
    @AutoClose private final Desk desk = new Desk();
    private final ScriptedIssuer issuer = desk.issuer;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Process> processes = new ArrayList<>();
    @TempDir private Path folder;
    private Path file;

    @BeforeEach
    void logIn() throws Exception {
        file = folder.resolve("tokens.json");
        desk.call(desk.oauth.tokens(TokenStore.file(file)));
    }

    @AfterEach
    void end() {
        processes.forEach(Process::destroyForcibly);
        threads.shutdownNow();
    }

    private BufferedReader start(String... arguments) throws IOException {
        List<String> command =
                ChildJvm.command(SharedLogin.class, file.toString(), issuer.mcp().toString());
        command.addAll(List.of(arguments));
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        processes.add(process);
        return process.inputReader();
    }

    /** Refuses the shared token, but only after all clients have sent it. */
    private void refuseAtOnce(int requests) {
        CyclicBarrier all = new CyclicBarrier(requests);
        issuer.valid.clear();
        issuer.beforeRefusal = all::await;
    }

    private void assertOneRefresh() {
        assertThat(issuer.tokenRequests)
                .extracting(asked -> asked.get("grant_type"))
                .containsExactly("authorization_code", "refresh_token");
        assertThat(TokenStore.file(file).read(issuer.mcp()).orElseThrow()).contains("refresh-2");
    }

    @Test
    void twoProcessesRefreshOnce() throws Exception {
        refuseAtOnce(2);

        BufferedReader one = start("call");
        BufferedReader other = start("call");

        assertThat(one.readLine()).isEqualTo("200");
        assertThat(other.readLine()).isEqualTo("200");
        assertOneRefresh();
    }

    @Test
    void twoClientsOfAProcessRefreshOnce() throws Exception {
        refuseAtOnce(2);

        List<Future<Integer>> calls = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            OAuth own = OAuth.withTokenStore(TokenStore.file(file));
            calls.add(threads.submit(() -> desk.call(own)));
        }

        for (Future<Integer> call : calls) {
            assertThat(call.get()).isEqualTo(200);
        }
        assertOneRefresh();
    }

    @Test
    void twoClientsWithOneStoreInMemoryRefreshOnce() throws Exception {
        desk.call(desk.oauth);
        refuseAtOnce(2);

        List<Future<Integer>> calls = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            OAuth own = OAuth.withTokenStore(desk.store);
            calls.add(threads.submit(() -> desk.call(own)));
        }

        for (Future<Integer> call : calls) {
            assertThat(call.get()).isEqualTo(200);
        }
        assertThat(issuer.tokenRequests)
                .filteredOn(asked -> asked.get("grant_type").equals("refresh_token"))
                .hasSize(1);
    }

    @Test
    void aProcessThatHasItsTurnForTooLongIsNotWaitedForAndItsTurnEndsWithIt() throws Exception {
        assertThat(start("hold").readLine()).isEqualTo("held");
        TokenStore hasty = new FileTokenStore(file, Envelope.NONE, Duration.ofMillis(50));

        assertThatThrownBy(() -> hasty.lease(issuer.mcp()))
                .isInstanceOf(IOException.class)
                .hasMessage("others were renewing the login for longer than 50 ms");

        processes.getFirst().destroyForcibly().waitFor();
        TokenStore.file(file).lease(issuer.mcp()).close();
    }

    @Test
    void aThreadThatHasItsTurnForTooLongIsNotWaitedFor() throws Exception {
        TokenStore hasty = new FileTokenStore(file, Envelope.NONE, Duration.ofMillis(50));
        try (TokenStore.Lease held = TokenStore.file(file).lease(issuer.mcp())) {
            Future<TokenStore.Lease> waiting = threads.submit(() -> hasty.lease(issuer.mcp()));

            assertThatThrownBy(waiting::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(IOException.class);
            assertThat(held).isNotNull();
        }
    }

    @Test
    void theTokensOfARefreshAreStoredEvenIfItsCallerWasInterrupted() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        issuer.valid.clear();
        issuer.beforeTokens =
                () -> {
                    asked.countDown();
                    gate.await();
                };
        OAuth own = OAuth.withTokenStore(TokenStore.file(file));
        Future<Integer> impatient = threads.submit(() -> desk.call(own));
        asked.await();

        impatient.cancel(true);
        gate.countDown();

        assertThat(desk.call(own)).isEqualTo(200);
        assertOneRefresh();
    }

    @Test
    void aTurnIsOverWhenItIsClosed() throws Exception {
        TokenStore store = TokenStore.file(file);
        store.lease(issuer.mcp()).close();

        Future<Boolean> next =
                threads.submit(
                        () -> {
                            store.lease(issuer.mcp()).close();
                            return true;
                        });

        assertThat(next.get()).isTrue();
    }
}
