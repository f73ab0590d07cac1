package dev.fairlead.spring.boot.starter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.server.NoInput;
import dev.fairlead.test.support.Awaiting;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The end of an application that serves clients. */
@Timeout(600)
final class ShutdownTest {
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Slow {
        private final CountDownLatch called = new CountDownLatch(1);
        private final CountDownLatch proceed = new CountDownLatch(1);

        @Bean
        McpFeatures slow() {
            return features ->
                    features.tool("slow", "Takes its time", NoInput.class, String.class)
                            .handle(
                                    (input, call) -> {
                                        called.countDown();
                                        proceed.await();
                                        return "done";
                                    });
        }
    }

    /** The client's listening stream, which never ends by itself, is open all the time. */
    @Test
    void aCallUnderWayIsFinishedAndStreamsHoldNothingUp() throws Exception {
        ConfigurableApplicationContext application =
                Apps.web(Slow.class, "fairlead.server.shutdown-grace=60s");
        Slow slow = application.getBean(Slow.class);
        McpServerLifecycle lifecycle = application.getBean(McpServerLifecycle.class);
        try (McpClient client =
                        McpClient.named("test", "1")
                                .connect(Http.to(Apps.url(application, "/mcp")));
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<String> call =
                    threads.submit(
                            () ->
                                    client.tool("slow", NoInput.class, String.class)
                                            .call(new NoInput()));
            slow.called.await();
            Future<?> closing = threads.submit(application::close);
            Awaiting.await().until(() -> !lifecycle.isRunning());
            slow.proceed.countDown();
            assertThat(call.get()).isEqualTo("done");
            closing.get();
        }
        assertThat(application.isActive()).isFalse();
    }
}
