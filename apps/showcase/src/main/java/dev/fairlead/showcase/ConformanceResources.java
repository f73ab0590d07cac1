package dev.fairlead.showcase;

import dev.fairlead.server.Features;

import java.util.Base64;

/** The resources that the conformance suite reads. */
final class ConformanceResources {
    private ConformanceResources() {}

    record Id(String id) {}

    record Data(String id, boolean templateTest, String data) {}

    static void declare(Features<?> features) {
        features.resource("test://static-text", "static-text", String.class)
                .title("Static text")
                .mimeType("text/plain")
                .handle((request, call) -> "This is the content of the static text resource.");
        features.resource("test://static-binary", "static-binary", byte[].class)
                .title("Static image")
                .mimeType("image/png")
                .handle((request, call) -> Base64.getDecoder().decode(Fixtures.PNG));
        features.resource("test://watched-resource", "watched-resource", String.class)
                .title("A resource to subscribe to")
                .mimeType("text/plain")
                .handle((request, call) -> "Watched resource content.");
        features.resourceTemplate(
                        "test://template/{id}/data", "template-data", Id.class, Data.class)
                .mimeType("application/json")
                .handle((input, call) -> new Data(input.id(), true, "Data for ID: " + input.id()));
    }
}
