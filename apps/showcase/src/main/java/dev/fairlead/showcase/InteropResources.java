package dev.fairlead.showcase;

import static dev.fairlead.protocol.prompts.PromptMessage.user;

import dev.fairlead.json.Doc;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.server.Features;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Sixty pages to list, a resource to keep, a template and a prompt to complete. */
final class InteropResources {
    private static final List<String> ITEMS =
            IntStream.range(0, 150).mapToObj(item -> "item-" + threeDigits(item)).toList();

    private static final AtomicInteger READS = new AtomicInteger();

    private InteropResources() {}

    private static String threeDigits(int number) {
        return String.format(Locale.ROOT, "%03d", number);
    }

    record Item(String id) {}

    record Language(@Doc("A programming language") String lang) {}

    static void declare(Features<?> features) {
        for (int page = 0; page < 60; page++) {
            String number = threeDigits(page);
            features.resource("interop://page/" + number, "page-" + number, String.class)
                    .mimeType("text/plain")
                    .handle((request, call) -> "Page " + number);
        }
        features.resource("interop://cached", "cached", String.class)
                .description("How often it was read in this process")
                .mimeType("text/plain")
                .cacheFor(Duration.ofSeconds(60))
                .cachePublic()
                .handle((request, call) -> Integer.toString(READS.incrementAndGet()));
        features.resourceTemplate("interop://items/{id}", "item", Item.class, String.class)
                .mimeType("text/plain")
                .complete(
                        "id",
                        (typed, call) ->
                                ITEMS.stream().filter(id -> id.startsWith(typed.value())).toList())
                .handle((item, call) -> "Item " + item.id());
        features.prompt("interop_prompt", "Praises a programming language", Language.class)
                .complete(
                        "lang",
                        (typed, call) ->
                                ConformancePrompts.startingWith(
                                        typed.value(),
                                        "python",
                                        "perl",
                                        "php",
                                        "java",
                                        "javascript"))
                .handle(
                        (input, call) ->
                                GetPromptResult.of(
                                        user("Say something nice about " + input.lang())));
    }
}
