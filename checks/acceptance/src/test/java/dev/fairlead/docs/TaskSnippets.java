package dev.fairlead.docs;

import static dev.fairlead.protocol.tools.TaskSupport.OPTIONAL;
import static dev.fairlead.protocol.tools.TaskSupport.REQUIRED;

import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.JdbcTasks;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.handler.Call;
import dev.fairlead.tasks.TaskEvent;
import dev.fairlead.tasks.Tasks;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** The code of the page about tasks. */
final class TaskSnippets {
    private TaskSnippets() {}

    record Buy(String item) {}

    record Receipt(String item, int price) {}

    record Confirm(boolean ok) {}

    record Film(String name) {}

    /** A service that charges cards, and remembers the keys of charges. */
    static final class Payments {
        final List<String> keys = new CopyOnWriteArrayList<>();

        int quote(String item) {
            return item.length();
        }

        Receipt charge(String item, int price, String key) {
            keys.add(key);
            return new Receipt(item, price);
        }
    }

    /** A service that renders films elsewhere. */
    static final class Farm {
        final List<String> done = new CopyOnWriteArrayList<>();

        String submit(String name, String key) {
            return "job-" + name;
        }

        Optional<String> find(String job) {
            return done.contains(job) ? Optional.of(job + ".mp4") : Optional.empty();
        }
    }

    static McpServer.Builder shop(Payments payments) {
        // @start region="declare"
        McpServer.Builder shop =
                McpServer.named("shop", "1.0.0")
                        .tool("buy", "Buys an item", Buy.class, Receipt.class)
                        .task(OPTIONAL)
                        .rerunAfterCrash()
                        .immediateResponse("The order is under way.")
                        .handle((buy, call) -> buy(buy, call, payments));
        // @end
        return shop;
    }

    // @start region="body"
    static Receipt buy(Buy buy, Call call, Payments payments) throws InterruptedException {
        int price = call.once("price", Integer.class, () -> payments.quote(buy.item()));
        call.status("waits for your word");
        if (!call.elicit("Pay " + price + "?", Confirm.class).orElseThrow().ok()) {
            throw new ToolFailedException("not paid");
        }
        call.status("pays");
        return call.once(
                "charge",
                Receipt.class,
                () -> payments.charge(buy.item(), price, call.idempotencyKey()));
    }

    // @end

    static McpServer studio(Farm farm) {
        // @start region="job"
        McpServer studio =
                McpServer.named("studio", "1.0.0")
                        .tool("render", "Renders a film", Film.class, String.class)
                        .task(REQUIRED)
                        .pollJob(Duration.ofSeconds(30), farm::find)
                        .handle(
                                (film, call) -> {
                                    String job =
                                            call.once(
                                                    "job",
                                                    String.class,
                                                    () ->
                                                            farm.submit(
                                                                    film.name(),
                                                                    call.idempotencyKey()));
                                    return call.park(job);
                                })
                        .build();
        // @end
        return studio;
    }

    static boolean webhook(McpServer studio, String job, String file) {
        // @start region="webhook"
        boolean known = studio.jobs().finish("render", job, file);
        // @end
        return known;
    }

    static Database store(McpServer.Builder shop, Path folder) {
        // @start region="store"
        Database database = Database.sqlite(folder.resolve("tasks.db"));
        shop.tasks(
                JdbcTasks.on(database)
                        .defaultTtl(Duration.ofHours(1))
                        .maxTtl(Duration.ofDays(7))
                        .maxPerOwner(20)
                        .maxRunning(500));
        // @end
        return database;
    }

    static Tasks audited(List<TaskEvent> log) {
        // @start region="audit"
        Tasks tasks = Tasks.inMemory().onEvent(log::add);
        // @end
        return tasks;
    }
}
