package dev.fairlead.benchmarks.servers;

import java.io.EOFException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Some connections to one server, each with one call after the other. One thread serves them all,
 * so that its share of a processor shows whether it is the bottleneck.
 */
final class Load implements AutoCloseable {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static final Pattern TASK = Pattern.compile("\"taskId\":\"([^\"]+)\"");

    private final ServerProcess server;
    private final Selector selector = Selector.open();
    private final List<Caller> callers = new ArrayList<>();
    private final ByteBuffer incoming = ByteBuffer.allocateDirect(256 << 10);
    private Durations durations = new Durations();

    /**
     * @param size of the text of each call, in bytes
     */
    Load(ServerProcess server, int connections, int size) throws IOException {
        this.server = server;
        Contender contender = server.contender();
        for (int i = 0; i < connections; i++) {
            Line line = Line.open(server.address());
            String headers = line.agree(contender.mode(), contender.tool());
            CallTemplate template =
                    contender.tool().equals(EraServer.TASK)
                            ? look(line, headers, contender, size)
                            : new CallTemplate(headers, contender, size);
            line.channel().configureBlocking(false);
            callers.add(new Caller(line, template));
        }
    }

    /** Has a task run to its end, which is looked at then. */
    private static CallTemplate look(Line line, String headers, Contender contender, int size)
            throws IOException {
        String created = line.exchange(headers, CallTemplate.call(contender, size));
        Matcher task = TASK.matcher(created);
        if (!task.find()) {
            throw new IOException(contender + " created no task: " + created);
        }
        String get = line.perRequest("tasks/get", task.group(1));
        String body = CallTemplate.getTask(task.group(1));
        for (String now = created; !now.contains("\"status\":\"completed\""); ) {
            now = line.exchange(get, body);
        }
        return CallTemplate.look(get, body);
    }

    /** Calls for so long; every answer is compared with its call. */
    Sample run(Duration time) throws IOException {
        durations = new Durations();
        OptionalLong allocated = server.allocated();
        Duration cpu = server.cpu();
        long own = THREADS.getCurrentThreadCpuTime();
        long start = System.nanoTime();
        long end = start + time.toNanos();
        int open = callers.size();
        for (Caller caller : callers) {
            caller.call();
        }
        while (open > 0) {
            selector.select();
            for (SelectionKey key : selector.selectedKeys()) {
                open -= ready(key, end);
            }
            selector.selectedKeys().clear();
        }
        long taken = System.nanoTime() - start;
        double generator = (double) (THREADS.getCurrentThreadCpuTime() - own) / taken;
        Duration used = server.cpu().minus(cpu);
        long bytes = server.allocated().orElse(0) - allocated.orElse(0);
        return Sample.of(durations, taken, used, bytes, generator);
    }

    /** 1 if the connection has made its last call. */
    private int ready(SelectionKey key, long end) throws IOException {
        Caller caller = (Caller) key.attachment();
        if (key.isWritable()) {
            caller.write();
        }
        if (!key.isReadable() || !caller.read()) {
            return 0;
        }
        long now = System.nanoTime();
        durations.add(now - caller.called);
        if (now >= end) {
            return 1;
        }
        caller.call();
        return 0;
    }

    /** One connection. */
    private final class Caller {
        private final Line line;
        private final CallTemplate template;
        private final SelectionKey key;
        private ByteBuffer outgoing = ByteBuffer.allocate(0);
        private long called;

        Caller(Line line, CallTemplate template) throws IOException {
            this.line = line;
            this.template = template;
            this.key = line.channel().register(selector, SelectionKey.OP_READ, this);
        }

        void call() throws IOException {
            outgoing = template.next();
            line.reader().reset();
            called = System.nanoTime();
            write();
        }

        void write() throws IOException {
            line.channel().write(outgoing);
            int wanted = SelectionKey.OP_READ;
            if (outgoing.hasRemaining()) {
                wanted |= SelectionKey.OP_WRITE;
            }
            if (key.interestOps() != wanted) {
                key.interestOps(wanted);
            }
        }

        /** Whether the answer is there. */
        boolean read() throws IOException {
            if (line.channel().read(incoming.clear()) < 0) {
                throw new EOFException(server.contender() + " hung up");
            }
            if (!line.reader().take(incoming.flip())) {
                return false;
            }
            ByteBuffer followUp = template.followUp(line.reader());
            if (followUp != null) {
                outgoing = followUp;
                line.reader().reset();
                write();
                return false;
            }
            if (!line.reader().answers(template)) {
                throw new IOException(
                        server.contender() + " answered wrongly: " + line.reader().body());
            }
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        selector.close();
        for (Caller caller : callers) {
            caller.line.close();
        }
    }
}
