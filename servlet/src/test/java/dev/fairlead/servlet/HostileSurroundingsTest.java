package dev.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.servlet.Container.Application;
import dev.fairlead.servlet.Container.Running;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** What stands before the servlet takes its response away, or ends its request. */
@ParameterizedClass
@EnumSource(Container.class)
@Timeout(60)
class HostileSurroundingsTest extends ServletTest {
    private static final String HOSTILE = "Hostile";

    private final CountDownLatch began = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final CountDownLatch completed = new CountDownLatch(1);
    private final AtomicBoolean touchedAfterwards = new AtomicBoolean();
    private McpServlet servlet;
    private Running running;

    @BeforeEach
    void start() throws Exception {
        var server =
                server().tool("wait", "Waits", JsonObject.class, String.class)
                        .handle(
                                (arguments, call) -> {
                                    began.countDown();
                                    mayEnd.await(30, TimeUnit.SECONDS);
                                    return "end";
                                })
                        .build();
        servlet = new McpServlet(closedLater(server), ENDPOINT.jsonAnswers().maxRequests(1));
        running = start(Application.of("", Map.of("/mcp", new Surrounding())));
    }

    /** Does to a request what its header says, as a filter may. */
    private final class Surrounding extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        public void init(ServletConfig config) throws ServletException {
            servlet.init(config);
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            String hostile = request.getHeader(HOSTILE);
            switch (hostile == null ? "" : hostile) {
                case "writer" -> {
                    response.getWriter();
                    servlet.service(request, response);
                }
                case "refuser" -> servlet.service(request, new Refuser(response));
                case "completer" -> complete(request, response);
                default -> servlet.service(request, response);
            }
        }

        private void complete(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            servlet.service(request, new Guarded(response));
            await(began);
            request.getAsyncContext().addListener(new Completion());
            request.getAsyncContext().complete();
        }

        @Override
        public void destroy() {
            servlet.destroy();
        }
    }

    /** Learns of the end after the servlet did. */
    private final class Completion implements AsyncListener {
        @Override
        public void onComplete(AsyncEvent event) {
            completed.countDown();
        }

        @Override
        public void onTimeout(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Cannot be written to without blocking. */
    private static final class Refuser extends HttpServletResponseWrapper {
        Refuser(HttpServletResponse response) {
            super(response);
        }

        @Override
        public ServletOutputStream getOutputStream() {
            return new ServletOutputStream() {
                @Override
                public boolean isReady() {
                    return true;
                }

                @Override
                public void setWriteListener(WriteListener listener) {
                    throw new UnsupportedOperationException("not here");
                }

                @Override
                public void write(int b) {}
            };
        }
    }

    /** Notices who uses it when its request is over. */
    private final class Guarded extends HttpServletResponseWrapper {
        Guarded(HttpServletResponse response) {
            super(response);
        }

        @Override
        public void setStatus(int status) {
            touchedAfterwards.compareAndSet(false, completed.getCount() == 0);
            super.setStatus(status);
        }

        @Override
        public ServletOutputStream getOutputStream() throws IOException {
            touchedAfterwards.compareAndSet(false, completed.getCount() == 0);
            return super.getOutputStream();
        }
    }

    private void awaitNoRequests() throws InterruptedException {
        while (servlet.metrics().orElseThrow().requests() != 0) {
            TimeUnit.MILLISECONDS.sleep(10); // the time limit of the test ends it
        }
    }

    @Test
    void aResponseThatWasTakenAwayIsAnErrorAndCostsNoPlace() throws Exception {
        for (String hostile : new String[] {"writer", "refuser"}) {
            assertThat(post(running, "/mcp", initialize(), HOSTILE, hostile).status())
                    .as(hostile)
                    .isEqualTo(500);
            awaitNoRequests();
        }

        assertThat(post(running, "/mcp", initialize()).status()).isEqualTo(200);
    }

    @Test
    void theResponseOfARequestThatWasEndedIsNotTouched() throws Exception {
        String id = session(running, "/mcp");
        awaitNoRequests();
        String call = call(1, "wait", "{}");
        Wire wire = wire(running).send("POST", "/mcp", call, SESSION, id, HOSTILE, "completer");
        wire.answer(); // of the container
        await(completed);
        mayEnd.countDown();

        awaitNoRequests();
        assertThat(touchedAfterwards).isFalse();
    }
}
