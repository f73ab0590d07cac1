package dev.fairlead.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The frames in the pages are those that a client and a server exchange. A block of them follows
 * the line {@code <!-- frames: NAME -->}, where the name is that of a scene. With {@code
 * -Dfairlead.docs.write} the pages are written instead of compared.
 */
class FramesTest {
    private static final Pattern BLOCK =
            Pattern.compile("(<!-- frames: (\\S+) -->\n```\\w+\n)(.*?)(```\n)", Pattern.DOTALL);
    private static final boolean WRITE = Boolean.getBoolean("fairlead.docs.write");

    private static final Map<String, Scene> SCENES = Scenes.byName();

    @TestFactory
    List<DynamicTest> thePagesShowWhatIsSent() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path page : Pages.all()) {
            for (MatchResult block : blocks(page)) {
                String name = block.group(2);
                tests.add(
                        dynamicTest(
                                Pages.name(page) + ": " + name,
                                () -> compare(page, name, block.group(3))));
            }
        }
        return tests;
    }

    @Test
    void everySceneIsShown() throws IOException {
        Set<String> unshown = new TreeSet<>(SCENES.keySet());
        for (Path page : Pages.all()) {
            blocks(page).forEach(block -> unshown.remove(block.group(2)));
        }
        assertThat(unshown).as("scenes that no page shows").isEmpty();
    }

    private static List<MatchResult> blocks(Path page) throws IOException {
        return BLOCK.matcher(Files.readString(page)).results().toList();
    }

    private static void compare(Path page, String name, String shown) throws Exception {
        assertThat(SCENES).containsKey(name);
        String frames = record(SCENES.get(name));
        if (WRITE) {
            write(page, name, frames);
        } else {
            assertThat(shown)
                    .as(
                            "frames %s of %s; CONTRIBUTING.md says how they are written anew",
                            name, page)
                    .isEqualTo(frames);
        }
    }

    private static String record(Scene scene) throws Exception {
        try (Recorder recorder = new Recorder()) {
            scene.play(recorder);
            return recorder.text();
        }
    }

    private static void write(Path page, String name, String frames) throws IOException {
        String text =
                BLOCK.matcher(Files.readString(page))
                        .replaceAll(
                                block ->
                                        Matcher.quoteReplacement(
                                                block.group(2).equals(name)
                                                        ? block.group(1) + frames + block.group(4)
                                                        : block.group()));
        Files.writeString(page, text);
    }
}
