package dev.fairlead.servlet;

import static dev.fairlead.test.support.Awaiting.await;

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
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

/** A component before the servlet takes its response away, ends its request or calls it early. */
@ParameterizedClass
@EnumSource(Container.class)
@Timeout(120)
class HostileSurroundingsTest extends ServletTest {
    private static final String HOSTILE = "Hostile";

    private final CountDownLatch began = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final CountDownLatch completed = new CountDownLatch(1);
    private final AtomicBoolean touchedAfterwards = new AtomicBoolean();
    private final CountDownLatch reported = new CountDownLatch(1);
    private final AtomicBoolean reportedTooEarly = new AtomicBoolean();
    private final AtomicBoolean threads = new AtomicBoolean(true);
    private McpServlet servlet;
    private Running running;

    @BeforeEach
    void start() throws Exception {
        var server =
                server().tool("wait", "Waits", JsonObject.class, String.class)
                        .handle(
                                (arguments, call) -> {
                                    began.countDown();
                                    mayEnd.await(60, TimeUnit.SECONDS);
                                    return "end";
                                })
                        .build();
        servlet =
                new McpServlet(
                        closedLater(server),
                        ENDPOINT.jsonAnswers().maxRequests(1),
                        request -> UnaryOperator.identity(),
                        this::startThread);
        running = start(Application.of("", Map.of("/mcp", new Surrounding())));
    }

    private void startThread(Runnable task) {
        if (!threads.get()) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        Thread.ofVirtual().start(task);
    }

    /** Treats a request as its header asks, like a filter may. */
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
                case "caller" -> servlet.service(request, new Caller(response));
                case "erring" -> servlet.service(request, new Erring(response));
                case "full" -> servlet.service(request, new Full(response));
                default -> servlet.service(request, response);
            }
        }

        private void complete(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            servlet.service(request, new Guarded(response));
            awaitLatch(began);
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

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
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

    /** Fails with an error when something is written, as where a class is missing. */
    private static final class Erring extends HttpServletResponseWrapper {
        Erring(HttpServletResponse response) {
            super(response);
        }

        @Override
        public ServletOutputStream getOutputStream() throws IOException {
            ServletOutputStream wrapped = super.getOutputStream();
            return new ServletOutputStream() {
                @Override
                public boolean isReady() {
                    return wrapped.isReady();
                }

                @Override
                public void setWriteListener(WriteListener listener) {
                    wrapped.setWriteListener(listener);
                }

                @Override
                public void write(int b) {
                    throw new LinkageError("as a test wants");
                }
            };
        }
    }

    /** Takes nothing, and reports that the client is gone when there are no more threads. */
    private final class Full extends HttpServletResponseWrapper {
        Full(HttpServletResponse response) {
            super(response);
        }

        @Override
        public ServletOutputStream getOutputStream() {
            return new ServletOutputStream() {
                private WriteListener listener;

                @Override
                public boolean isReady() {
                    Thread.ofVirtual().start(this::report);
                    return false;
                }

                private void report() {
                    threads.set(false);
                    listener.onError(new IOException("as a test wants"));
                    reported.countDown();
                }

                @Override
                public void setWriteListener(WriteListener called) {
                    listener = called;
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

    /** Calls the listener of a response as Tomcat does, which holds a lock of its own then. */
    private final class Caller extends HttpServletResponseWrapper {
        Caller(HttpServletResponse response) {
            super(response);
        }

        @Override
        public ServletOutputStream getOutputStream() throws IOException {
            return new CallingStream(super.getOutputStream());
        }
    }

    private final class CallingStream extends ServletOutputStream {
        private final ServletOutputStream wrapped;
        private WriteListener listener;

        CallingStream(ServletOutputStream wrapped) {
            this.wrapped = wrapped;
        }

        /** Calls the listener once before this returns. */
        @Override
        public void setWriteListener(WriteListener called) {
            listener = called;
            wrapped.setWriteListener(called);
            Thread caller = Thread.ofVirtual().start(this::writePossible);
            try {
                assertThat(caller.join(Duration.ofSeconds(60))).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        private void writePossible() {
            try {
                listener.onWritePossible();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public boolean isReady() {
            return wrapped.isReady();
        }

        @Override
        public void write(int b) throws IOException {
            wrapped.write(b);
        }

        /** Reports a failure while something is being written. */
        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            Thread reporter =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        listener.onError(new IOException("as a test wants"));
                                        reported.countDown();
                                    });
            await().until(() -> !reporter.isAlive() || reporter.getState() == Thread.State.WAITING);
            reportedTooEarly.set(!reporter.isAlive());
        }
    }

    private void awaitNoRequests() {
        await().until(() -> servlet.metrics().orElseThrow().requests() == 0);
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
    void aResponseThatFailsWithAnErrorIsEndedAndCostsNoPlace() throws Exception {
        assertThat(post(running, "/mcp", initialize(), HOSTILE, "erring").status()).isEqualTo(500);
        awaitNoRequests();

        assertThat(post(running, "/mcp", initialize()).status()).isEqualTo(200);
    }

    @Test
    void aRequestForWhichThereIsNoThreadIsAnsweredWith503() throws Exception {
        threads.set(false);
        Wire.Answer refused = post(running, "/mcp", initialize());
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.header("Retry-After")).isEqualTo("1");

        threads.set(true);
        assertThat(post(running, "/mcp", initialize()).status()).isEqualTo(200);
    }

    @Test
    void aFailureIsReportedWithoutAThreadForThat() throws Exception {
        wire(running).send("POST", "/mcp", initialize(), HOSTILE, "full");

        awaitLatch(reported);
        threads.set(true);
        awaitNoRequests();
        assertThat(post(running, "/mcp", initialize()).status()).isEqualTo(200);
    }

    @Test
    void theResponseOfARequestThatWasEndedIsNotTouched() throws Exception {
        String id = session(running, "/mcp");
        awaitNoRequests();
        String call = call(1, "wait", "{}");
        Wire wire = wire(running).send("POST", "/mcp", call, SESSION, id, HOSTILE, "completer");
        wire.answer(); // of the container
        awaitLatch(completed);
        mayEnd.countDown();

        awaitNoRequests();
        assertThat(touchedAfterwards).isFalse();
    }

    /** The container takes the response for another request once it has reported the failure. */
    @Test
    void aListenerIsCalledWhileItIsMadeOneAndAFailureWaitsForTheThreadThatWrites()
            throws Exception {
        wire(running).send("POST", "/mcp", initialize(), HOSTILE, "caller");

        awaitLatch(reported);
        awaitNoRequests();
        assertThat(reportedTooEarly).isFalse();
        assertThat(post(running, "/mcp", initialize()).status()).isEqualTo(200);
    }
}
