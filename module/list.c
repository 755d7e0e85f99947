// SPDX-License-Identifier: GPL-2.0
/*
 * The administrator's view: debugfs profil/sessions lists who is profiled.
 */
#include <linux/debugfs.h>
#include <linux/seq_file.h>

#include "profil.h"

static struct dentry *list_dir;

static int sessions_show(struct seq_file *m, void *unused)
{
	seq_puts(m, "id\tpid\tuid\tstarted\tperiod_ns\tregions\tpages\tticks\tcounted\toutside\tsaturated\tskipped\tkernel\tcomm\n");
	profil_session_show_all(m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(sessions);

/* A kernel without debugfs does without the list. */
void profil_list_init(void)
{
	list_dir = debugfs_create_dir("profil", NULL);
	debugfs_create_file("sessions", 0400, list_dir, NULL, &sessions_fops);
}

void profil_list_exit(void)
{
	debugfs_remove(list_dir);
}
