package dev.fairlead.benchmarks;

import dev.fairlead.protocol.Owner;
import dev.fairlead.tasks.Tasks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A node in a process of its own. */
public final class Node {
    static final Owner OWNER = new Owner.Local("benchmark");

    private final BufferedReader input =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

    private Node() {}

    /** Plays a part on the store that a URL names. */
    public static void main(String[] arguments) throws Exception {
        Logger.getLogger("").setLevel(Level.WARNING);
        Node node = new Node();
        String url = arguments[1];
        switch (arguments[0]) {
            case "hold" -> node.hold(url, Integer.parseInt(arguments[2]));
            case "heir" -> node.inherit(url, Integer.parseInt(arguments[2]));
            case "waker" -> node.wake(url);
            case "waiting" -> new WaitingNode(url).run(arguments[2]);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        System.exit(0); // no code closes it
    }

    static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    static Tasks manyPerOwner(Tasks tasks) {
        return tasks.maxPerOwner(1_000_000);
    }

    /** Has tasks run that never end, until it is killed. */
    private void hold(String url, int tasks) throws Exception {
        CountDownLatch begun = new CountDownLatch(tasks);
        CountDownLatch never = new CountDownLatch(1);
        OpenEngine opened =
                new OpenEngine(
                        url,
                        context -> {
                            begun.countDown();
                            never.await();
                            return OpenEngine.RESULT;
                        },
                        Node::manyPerOwner);
        for (int i = 0; i < tasks; i++) {
            opened.start(OWNER);
        }
        begun.await();
        say("holds");
        input.readLine();
    }

    /** Says when it has begun all tasks of a dead node again. */
    private void inherit(String url, int tasks) throws InterruptedException {
        try (Heir heir = new Heir(url, tasks)) {
            heir.awaitAll();
            say("all");
        }
    }

    /** Starts and ends one task after the other on orders from its input. */
    private void wake(String url) throws IOException, InterruptedException {
        BlockingQueue<String> orders = new LinkedBlockingQueue<>();
        try (OpenEngine opened =
                new OpenEngine(
                        url,
                        context -> {
                            orders.take();
                            say("ends " + System.nanoTime());
                            return OpenEngine.RESULT;
                        })) {
            say("ready");
            while (true) {
                String order = input.readLine();
                if (order == null) {
                    return;
                }
                if (order.equals("start")) {
                    say("started " + opened.start(OWNER).value());
                } else {
                    orders.add(order);
                }
            }
        }
    }
}
