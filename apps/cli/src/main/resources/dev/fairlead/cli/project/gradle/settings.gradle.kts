rootProject.name = "{{name}}"
