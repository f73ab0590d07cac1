package dev.fairlead.spring.boot.starter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import org.junit.jupiter.api.Test;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** The descriptions of properties that editors show, and the list in the documentation. */
final class MetadataTest {
    private static JsonObject metadata() throws Exception {
        try (InputStream in =
                McpFeatures.class
                        .getClassLoader()
                        .getResourceAsStream("META-INF/spring-configuration-metadata.json")) {
            byte[] text = Objects.requireNonNull(in, "no metadata").readAllBytes();
            return (JsonObject) JsonValue.parse(new String(text, StandardCharsets.UTF_8));
        }
    }

    private static List<JsonObject> properties() throws Exception {
        List<JsonObject> own = new ArrayList<>();
        for (JsonValue property : metadata().array("properties").elements()) {
            JsonObject object = (JsonObject) property;
            if (object.string("name").startsWith("fairlead.")) {
                own.add(object);
            }
        }
        return own;
    }

    @Test
    void everyPropertyHasADescription() throws Exception {
        assertThat(properties())
                .isNotEmpty()
                .allSatisfy(property -> assertThat(property.string("description")).isNotBlank());
    }

    @Test
    void everyPropertyOfTheServerIsInTheDocumentation() throws Exception {
        String page = Files.readString(Path.of("..", "..", "docs", "spring-boot.md"));
        for (JsonObject property : properties()) {
            String name = property.string("name");
            if (!name.equals("fairlead.clients")) { // a map, whose members have no metadata
                assertThat(page).contains("`" + name + "`");
            }
        }
    }

    @Test
    void everyPropertyOfAClientIsInTheDocumentation() throws Exception {
        String page = Files.readString(Path.of("..", "..", "docs", "spring-boot.md"));
        for (var component : McpClientProperties.Server.class.getRecordComponents()) {
            String name = component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            assertThat(page).contains("`fairlead.clients.NAME." + name);
        }
    }

    @Test
    void revisionsAreProposed() throws Exception {
        assertThat(metadata().array("hints").toString())
                .contains("fairlead.server.revisions", "2026-07-28");
    }
}
