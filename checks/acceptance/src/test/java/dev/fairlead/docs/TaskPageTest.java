package dev.fairlead.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;

import java.io.IOException;

/** Statements on tasks that the specification requires in the documentation. */
class TaskPageTest {
    @Test
    @Requirement("TASK-097")
    void thePageWarnsThatWithoutAuthorizationAnIdGivesAccessToATask() throws IOException {
        assertThat(Pages.text("docs/tasks.md"))
                .contains(
                        "| over HTTP without authorization | no caller in particular. **Any caller"
                            + " that knows the id can read the task, fetch its result and cancel"
                            + " it** |");
    }
}
